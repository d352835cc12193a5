export { useCompose } from './store.ts'
