import { deliveryHeaders, type DeliveryHeader } from '#catalogue/headers.ts'

/** Lower-case names of the document's headers under a brand, and how they are usually written. */
export interface DeliveryNames {
  /** `x-service-` */
  readonly prefix: string
  readonly lower: Readonly<Record<DeliveryHeader['id'], string>>
  readonly usual: Readonly<Record<DeliveryHeader['id'], string>>
}

const known = new Map<string, DeliveryNames>()

/** Kept for each brand, of which there are few: it is asked for at each delivery. */
export function namesOf(brand: string): DeliveryNames {
  const found = known.get(brand)
  if (found) return found
  const usual = {
    'event-type': '',
    'target-uuid': '',
    'target-id': '',
    'application-id': '',
    signature: '',
  }
  for (const { id, name } of deliveryHeaders(brand)) usual[id] = name
  const names: DeliveryNames = {
    prefix: `x-${brand.toLowerCase()}-`,
    usual,
    lower: {
      'event-type': usual['event-type'].toLowerCase(),
      'target-uuid': usual['target-uuid'].toLowerCase(),
      'target-id': usual['target-id'].toLowerCase(),
      'application-id': usual['application-id'].toLowerCase(),
      signature: usual.signature.toLowerCase(),
    },
  }
  if (known.size > 100) known.clear()
  known.set(brand, names)
  return names
}
