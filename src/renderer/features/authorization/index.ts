export { AuthorizationView } from './AuthorizationView.tsx'
export { IntegrationSwitcher } from './IntegrationSwitcher.tsx'
export { TokenChip } from './TokenChip.tsx'
export { tokenStates } from './tokens/labels.tsx'
