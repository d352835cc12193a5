export { reportNewSecret, useSandboxCommands } from './commands.ts'
