export { JobDialog } from './JobDialog.tsx'
export { JobStrip } from './JobStrip.tsx'
