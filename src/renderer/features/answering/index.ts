export { ResponseSection } from './ResponseSection.tsx'
export { AnsweringChip } from './AnsweringChip.tsx'
export { ForwardSection } from './ForwardSection.tsx'
