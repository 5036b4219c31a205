/** Of the pages of the TypeScript API: types in the font of code, and tables that fit a narrow screen. */
export const referenceStyle = `
.typescript-api td:nth-child(2) { font-family: var(--vp-font-family-mono); font-size: 13px; line-height: 20px; overflow-wrap: anywhere; }
.typescript-api td:first-child code { white-space: normal; overflow-wrap: anywhere; }
`
