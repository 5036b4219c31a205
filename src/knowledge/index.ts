export { itemRanker, relevanceOf, withRelevance } from './item-relevance.ts'
