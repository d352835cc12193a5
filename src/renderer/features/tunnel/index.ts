export { Since, Until } from './Live.tsx'
export { PublicUrl } from './PublicUrl.tsx'
export { ReachChip, TunnelAnnouncement } from './ReachChip.tsx'
export { openTunnel, useTunnelCommands } from './commands.ts'
