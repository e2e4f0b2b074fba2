-- CreateTable
CREATE TABLE "directory_errors" (
    "team_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "scim_type" TEXT,
    "detail" TEXT NOT NULL,

    CONSTRAINT "directory_errors_pkey" PRIMARY KEY ("team_id")
);

-- CreateIndex
CREATE INDEX "directory_errors_at_idx" ON "directory_errors"("at");

-- AddForeignKey
ALTER TABLE "directory_errors" ADD CONSTRAINT "directory_errors_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;
