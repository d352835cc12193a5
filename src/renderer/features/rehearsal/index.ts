export { RehearsalsView } from './RehearsalsView.tsx'
