export { AddressField, SendOptions } from './SendFields.tsx'
export { suggestTargets } from './target-suggestions.ts'
export {
  type Resendable,
  findTarget,
  targetFor,
  useRecentTargets,
  useTarget,
} from './resend-target.ts'
export { type SendDraft, defaultDraft, sendRequest, timeoutError, urlError } from './send-draft.ts'
