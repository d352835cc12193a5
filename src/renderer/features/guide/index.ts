export { GuideHost } from './GuideHost.tsx'
export { openGuide } from './commands.ts'
