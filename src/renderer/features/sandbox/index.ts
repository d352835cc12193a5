export { useSandboxCommands } from './use-sandbox-commands.ts'
export { withSecret } from './with-secret.ts'
