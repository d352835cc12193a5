export { GuideStart } from './GuideStart.tsx'
export { Guiding } from './Guiding.tsx'
export { openGuide } from './commands.ts'
