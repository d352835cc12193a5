import { headerName } from '#catalogue/headers.ts'
import type { Delivery, SignatureReport } from '#contract/models.ts'
import { signatureValues } from './verify.ts'

type Received = Pick<Delivery, 'brand' | 'headers'>

/** The brand in the name of the signature header: that at arrival, or `current`, the one of the integration, if it was corrected since. */
export function signingBrand({ brand, headers }: Received, current: string | undefined): string {
  const isReceived = (each: string): boolean => valuesOf(headers, each).length > 0
  return current !== undefined && !isReceived(brand) && isReceived(current) ? current : brand
}

export function signaturesOf(
  { brand, headers }: Received,
  currentBrand?: string,
): Pick<SignatureReport, 'headerName' | 'received'> {
  const signing = signingBrand({ brand, headers }, currentBrand)
  return { headerName: headerName(signing, 'signature'), received: valuesOf(headers, signing) }
}

function valuesOf(headers: Received['headers'], brand: string): string[] {
  const name = headerName(brand, 'signature').toLowerCase()
  const own = headers.filter(([header]) => header.toLowerCase() === name)
  return signatureValues(own.map(([, value]) => value))
}
