export { ConfirmTarget } from './ConfirmTarget.tsx'
export {
  withConfirmation,
  confirmServer,
  confirmTarget,
  unconfirmedOrigin,
  unconfirmedServer,
  withdrawQuestion,
} from './ConfirmTarget.tsx'
