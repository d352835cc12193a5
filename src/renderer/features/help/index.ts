export { LearnMore } from './LearnMore.tsx'
