export { ConfirmTarget } from './ConfirmTarget.tsx'
export {
  confirming,
  confirmServer,
  confirmTarget,
  unconfirmedOrigin,
  unconfirmedServer,
  withdrawQuestion,
} from './confirming.ts'
