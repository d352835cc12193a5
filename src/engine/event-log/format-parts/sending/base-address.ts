import { AppError } from '../../../errors.ts'
import { faultOfAddress } from '../../../http/request-head.ts'

/** Origin and path that the paths of deliveries are put behind, without a slash at the end. Throws `bad_input`. */
export function baseAddress(target: string): string {
  if (!URL.canParse(target)) {
    throw new AppError('bad_input', 'The target is no address. Begin it with http:// or https://.')
  }
  const url = new URL(target)
  const fault = faultOfAddress(url)
  if (fault) throw new AppError('bad_input', fault)
  return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '')
}
