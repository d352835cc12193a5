export { CopyVersions, Place, ShowLicences, ShowLog, Versions } from './AboutFacts.tsx'
