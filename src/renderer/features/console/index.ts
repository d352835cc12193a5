export { apiChanged } from './store.ts'
