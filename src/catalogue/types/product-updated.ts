import { withoutData } from '../define.ts'

export default withoutData({
  type: 'PRODUCT_UPDATED',
  label: 'Product changed',
  fired: 'Fired when a product at a location is updated. `targetUuid` = product UUID. Data: none.',
  subject: 'Product',
  change: 'changed',
  icon: 'package',
})
