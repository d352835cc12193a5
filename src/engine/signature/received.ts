import { headerName } from '#catalogue/headers.ts'
import type { Delivery, SignatureReport } from '#contract/models.ts'

export function signaturesOf({
  brand,
  headers,
}: Pick<Delivery, 'brand' | 'headers'>): Pick<SignatureReport, 'headerName' | 'received'> {
  const name = headerName(brand, 'signature')
  const received = headers
    .filter(([header]) => header.toLowerCase() === name.toLowerCase())
    .map(([, value]) => value)
  return { headerName: name, received }
}
