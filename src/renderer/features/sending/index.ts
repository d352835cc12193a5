export { AddressField, SendOptions } from './SendFields.tsx'
export { describeTarget, useTargetSuggestions } from './target-suggestions.ts'
export { type Resendable, findTarget, targetFor, useTarget } from './resend-target.ts'
export { type SendDraft, defaultDraft, sendRequest, urlError } from './send-draft.ts'
