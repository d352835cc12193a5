export { GuideStart, StepIcon } from './GuideStart.tsx'
export { GuideHost } from './GuideHost.tsx'
export { openGuide } from './commands.ts'
