export { FixButton, isFixable } from './FixButton.tsx'
