import { lazy } from 'react'

export { AttemptList } from './AttemptList.tsx'
export { ResendButton } from './ResendButton.tsx'
export { ResendDialog } from './ResendDialog.tsx'
export { describeSecret, hostOf } from './labels.ts'
export {
  cancelResend,
  editAndSend,
  rehearseHandler,
  rehearseSelected,
  resendOrAsk,
  resendSelected,
  showAttempt,
} from './resend.ts'
export { askWhereTo, takeMade, useAttemptsStore } from './store.ts'
export { useAttempts } from './use-attempts.ts'

// Loaded when an attempt is shown.
export const AttemptView = lazy(async () => {
  const { AttemptView: view } = await import('./AttemptView.tsx')
  return { default: view }
})
export const AttemptsTab = lazy(async () => {
  const { AttemptsTab: tab } = await import('./AttemptsTab.tsx')
  return { default: tab }
})
