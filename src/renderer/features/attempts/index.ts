import { lazy } from 'react'

export { AttemptList } from './AttemptList.tsx'
export { ResendButton } from './ResendButton.tsx'
export { ResendDialog } from './ResendDialog.tsx'
export { describeSecret, hostOf, outcomeOf } from './labels.ts'
export {
  cancelResend,
  editAndSend,
  notifyResult,
  rehearseHandler,
  rehearseSelected,
  resendOrAsk,
  resendSelected,
  showAttempt,
} from './resend.ts'
export { askWhereTo, useAttemptsStore } from './store.ts'
export { useAttempts, type AttemptsListed } from './use-attempts.ts'

// Loaded when an attempt is shown.
export const AttemptView = lazy(async () => ({
  default: (await import('./AttemptView.tsx')).AttemptView,
}))
export const AttemptsTab = lazy(async () => ({
  default: (await import('./AttemptsTab.tsx')).AttemptsTab,
}))
