-- CreateTable
CREATE TABLE "support_sessions" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "team_id" UUID NOT NULL,
    "opened_by_id" UUID,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "support_sessions_pkey" PRIMARY KEY ("id")
);

-- A team has at most one support session that has not ended. Prisma does not support indexes with a condition.
CREATE UNIQUE INDEX "support_sessions_one_open" ON "support_sessions"("team_id") WHERE "ended_at" IS NULL;

-- CreateIndex
CREATE INDEX "support_sessions_team_id_idx" ON "support_sessions"("team_id");

-- CreateIndex
CREATE INDEX "support_sessions_opened_by_id_idx" ON "support_sessions"("opened_by_id");

-- CreateIndex
CREATE INDEX "support_sessions_expires_at_idx" ON "support_sessions"("expires_at");

-- AddForeignKey
ALTER TABLE "support_sessions" ADD CONSTRAINT "support_sessions_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "support_sessions" ADD CONSTRAINT "support_sessions_opened_by_id_fkey" FOREIGN KEY ("opened_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;
