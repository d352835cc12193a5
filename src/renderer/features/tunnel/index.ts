export { PublicUrl } from './PublicUrl.tsx'
export { TunnelAnnouncement, TunnelChip } from './TunnelChip.tsx'
export { checkTunnel, copyPublic, openTunnel, useTunnelCommands } from './commands.ts'
