import { setTimeout as delay } from 'node:timers/promises'
import { getErrorMessage } from '../../config/error-message.ts'
import type { ClusterFolder } from './folder.ts'
import { joinCluster, ServiceRunningError } from './embedded-postgres.ts'
import type { ClusterMembership, JoinOptions } from './embedded-postgres.ts'

export interface ClusterSupervisor {
  /** Folder of the Unix socket, as pg's `host`. */
  host: string
  /** Sets the address in the error of a second service on the data folder. */
  announce(holder: string): Promise<void>
  leave(): Promise<void>
}

/**
 * Joins the cluster and keeps it running: if PostgreSQL is killed under a running service, starts it again and rejoins.
 * Calls `onEvicted` if another service has taken the service lock meanwhile.
 */
export async function superviseCluster(
  cluster: ClusterFolder,
  options: JoinOptions,
  onEvicted: (error: Error) => void,
): Promise<ClusterSupervisor> {
  let { holder } = options
  let membership: ClusterMembership = await joinCluster(cluster, options)
  const { host } = membership
  let isLeaving = false
  let rejoining = Promise.resolve()

  const rejoin = async (): Promise<void> => {
    for (;;) {
      if (isLeaving) return
      try {
        membership = await joinCluster(cluster, { ...options, holder })
        if (membership.host !== host) throw new ServiceRunningError('the database came back at another address')
        return
      } catch (error) {
        if (error instanceof ServiceRunningError) return onEvicted(error)
        options.log.warn(`the database cannot be started: ${getErrorMessage(error)}`)
        await delay(1000)
      }
    }
  }
  const supervise = async (): Promise<void> => {
    for (;;) {
      const current = membership
      await current.lost
      if (isLeaving) return
      options.log.warn('the connection to the database is lost: starting PostgreSQL again')
      rejoining = rejoin()
      await rejoining
      if (membership === current) return
    }
  }
  const supervision = options.role === 'service' ? supervise() : Promise.resolve()

  return {
    host,
    async announce(name) {
      holder = name
      await membership.announce(name)
    },
    async leave() {
      isLeaving = true
      // A rejoin in progress must finish first, so that its membership is left too.
      await rejoining
      await membership.leave()
      await supervision
    },
  }
}
