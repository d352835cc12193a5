export { EndpointForm } from './EndpointForm.tsx'
export { SecretDialog } from './SecretDialog.tsx'
