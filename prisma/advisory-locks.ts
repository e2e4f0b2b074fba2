/**
 * The numbers of the advisory locks. Processes of different versions share a lock by its number alone, so a number never
 * changes and is never reused. The code that takes a lock explains its purpose.
 */
export const advisoryLocks = {
  clusterInUse: 7_264_101,
  service: 7_264_102,
  migrations: 7_264_103,
  import: 7_264_104,
  firstStart: 7_264_105,
  signingKeys: 7_264_106,
  cleanup: 7_264_108,
  doctor: 7_264_109,
} as const
