/**
 * Of the pages of the TypeScript API: types in the font of code. A row has the name, the type and the default of a member above each other, and
 * its meaning beside them or, on a narrow screen, below.
 */
export const referenceStyle = `
.typescript-api .vp-doc table, .typescript-api .vp-doc thead, .typescript-api .vp-doc tbody { display: block; }
.typescript-api .vp-doc tr { display: grid; grid-template-columns: minmax(0, 45fr) minmax(0, 55fr); padding: 8px 0; }
.typescript-api .vp-doc th { padding: 0 12px; border: 0; background: none; }
.typescript-api .vp-doc td { grid-column: 1; padding: 2px 12px; border: 0; overflow-wrap: break-word; }
.typescript-api .vp-doc td:nth-child(2) { font-family: var(--vp-font-family-mono); font-size: 13px; line-height: 20px; overflow-wrap: anywhere; }
.typescript-api .vp-doc th:nth-child(2), .typescript-api .vp-doc th:nth-child(3):not(:last-child), .typescript-api .vp-doc td:empty { display: none; }
.typescript-api .vp-doc th:nth-child(n + 3):last-child, .typescript-api .vp-doc td:nth-child(n + 3):last-child { grid-column: 2; grid-row: 1 / span 4; }
.typescript-api .vp-doc td:nth-child(3):not(:last-child)::before { content: 'default: '; }
.typescript-api .vp-doc tr:not(:has(> :nth-child(3))) { grid-template-columns: minmax(0, 1fr); }
.typescript-api .vp-doc h3 { overflow-wrap: anywhere; }
@media (max-width: 640px) {
  .typescript-api .vp-doc thead { display: none; }
  .typescript-api .vp-doc tr { grid-template-columns: minmax(0, 1fr); }
  .typescript-api .vp-doc td:nth-child(n + 3):last-child { grid-column: 1; grid-row: auto; overflow-wrap: anywhere; }
}
`
