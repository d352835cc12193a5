export { ResponseSection } from './ResponseSection.tsx'
export { EndpointRulesChip } from './EndpointRulesChip.tsx'
export { ForwardSection } from './ForwardSection.tsx'
export { forwardState, ruleState } from './labels.ts'
