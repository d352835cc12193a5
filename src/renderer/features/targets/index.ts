export { ConfirmTarget } from './ConfirmTarget.tsx'
export {
  ask,
  withConfirmation,
  confirmServer,
  confirmTarget,
  unconfirmedOrigin,
  unconfirmedServer,
  withdrawQuestion,
} from './ConfirmTarget.tsx'
