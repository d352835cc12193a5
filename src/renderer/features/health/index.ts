export { useAlertNotices } from './alert-notices.tsx'
