export { ConformancePage } from './ConformancePage.tsx'
