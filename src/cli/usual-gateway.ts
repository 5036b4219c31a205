/** Where a gateway is that nobody has said otherwise of. */
export const usualGateway = 'http://127.0.0.1:8484'
