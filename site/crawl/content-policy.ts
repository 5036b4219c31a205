/** Of every page: a browser then refuses scripts, fonts, pictures and requests from any other host. */
export const contentPolicy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'self'",
].join('; ')
