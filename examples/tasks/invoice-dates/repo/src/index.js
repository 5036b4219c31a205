export { addDays, addMonths, daysBetween, weekday } from './days.js'
export { billingDays, dueDay, parts, prorated } from './billing.js'
