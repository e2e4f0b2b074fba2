import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../failure.ts'
import type { ClusterFolder } from './cluster-folder.ts'
import { joinCluster, ServiceRunningError } from './cluster.ts'
import type { ClusterMembership, JoinOptions } from './cluster.ts'

export interface ClusterKeeper {
  /** Folder of the Unix socket, as pg's `host`. */
  host: string
  /** Tells a second service, should one be started, where this one can be reached. */
  announce(holder: string): Promise<void>
  leave(): Promise<void>
}

/**
 * Joins the cluster and stays: when it goes down under a running service (somebody killed PostgreSQL), it is
 * started again and the place in it taken again. `onEvicted` is told when that place has gone to another service.
 */
export async function keepCluster(cluster: ClusterFolder, options: JoinOptions, onEvicted: (error: Error) => void): Promise<ClusterKeeper> {
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
        options.log.warn(`the database cannot be started: ${messageOf(error)}`)
        await delay(1000)
      }
    }
  }
  const keep = async (): Promise<void> => {
    for (;;) {
      const current = membership
      await current.lost
      if (isLeaving) return
      options.log.warn('the database has gone away: starting it again')
      rejoining = rejoin()
      await rejoining
      if (membership === current) return
    }
  }
  const kept = options.role === 'service' ? keep() : Promise.resolve()

  return {
    host,
    async announce(name) {
      holder = name
      await membership.announce(name)
    },
    async leave() {
      isLeaving = true
      // A place that is just being taken has to be given up as well.
      await rejoining
      await membership.leave()
      await kept
    },
  }
}
