export {
  formatCount as count,
  formatSize as byteSize,
  plural as counted,
} from '#shared/text/format.ts'
