export { AnswerSection } from './AnswerSection.tsx'
export { AnsweringChip } from './AnsweringChip.tsx'
export { ForwardSection } from './ForwardSection.tsx'
