export { LogStrip } from './LogStrip.tsx'
export { RemoveLog } from './RemoveLog.tsx'
export { interruptedExports } from './transfers.ts'
export { openExportDialog, useExportDialog } from './export/draft.ts'
export { DropTarget } from './import/DropTarget.tsx'
export {
  logStateLabels,
  redactionDetails,
  redactionLabel,
  removedLabel,
  timeSpan,
} from './labels.ts'
export { ShareMenu } from './share/ShareMenu.tsx'
