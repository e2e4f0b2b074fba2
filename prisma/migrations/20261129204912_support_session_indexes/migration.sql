-- CreateIndex
CREATE INDEX "support_sessions_user_id_idx" ON "support_sessions"("user_id");

-- An account has at most one support session that has not ended. Prisma does not support indexes with a condition.
CREATE UNIQUE INDEX "support_sessions_one_open_account" ON "support_sessions"("user_id") WHERE "ended_at" IS NULL;

ALTER TABLE "support_sessions" VALIDATE CONSTRAINT "support_sessions_user_id_fkey";
ALTER TABLE "support_sessions" VALIDATE CONSTRAINT "support_sessions_of_one";
