/** What needs a package of its own, undici; a door beside the room's, so that who sends no request does not load it. */
export { upstream } from './pool-upstream.ts'
