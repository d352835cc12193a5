export { CopyablePath, CopyVersions, ShowLicences, ShowLog, Versions } from './AboutFacts.tsx'
