/**
 * The numbers of the advisory locks. A number is all by which processes of any version know one: it is given once, and
 * never changed. What a lock is for is said where it is taken.
 */
export const advisoryLocks = {
  clusterInUse: 7_264_101,
  service: 7_264_102,
  migrations: 7_264_103,
  import: 7_264_104,
  firstStart: 7_264_105,
  signingKeys: 7_264_106,
  presence: 7_264_107,
  cleanup: 7_264_108,
} as const
