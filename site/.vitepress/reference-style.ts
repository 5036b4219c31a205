/** Of the pages of the TypeScript API: types in the font of code, and on a narrow screen a block for each member in place of a row. */
export const referenceStyle = `
.typescript-api .vp-doc td:nth-child(2) { font-family: var(--vp-font-family-mono); font-size: 13px; line-height: 20px; overflow-wrap: break-word; }
.typescript-api .vp-doc td:last-child code, .typescript-api .vp-doc h3 { overflow-wrap: anywhere; }
.typescript-api .vp-doc td { vertical-align: top; }
@media (max-width: 640px) {
  .typescript-api .vp-doc thead { display: none; }
  .typescript-api .vp-doc tr { display: block; padding: 8px 0; }
  .typescript-api .vp-doc td { display: block; border: 0; padding: 2px 12px; overflow-wrap: anywhere; }
  .typescript-api .vp-doc td:empty { display: none; }
  .typescript-api .vp-doc td:nth-child(3):not(:last-child)::before { content: 'default: '; }
}
`
