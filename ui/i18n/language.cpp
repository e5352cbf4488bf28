// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/i18n/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QTranslator>

static void initCatalogues()
{
    Q_INIT_RESOURCE(remat_catalogues);
}

namespace remat::ui {

namespace {

/// The translator that is installed last is asked first.
void install(const QLocale& language, const QString& catalogue, const QString& folder)
{
    auto* translator = new QTranslator(QCoreApplication::instance());
    if (translator->load(language, catalogue, QStringLiteral("_"), folder))
        QCoreApplication::installTranslator(translator);
    else
        delete translator;
}

} // namespace

void useLanguage(const QLocale& language)
{
    initCatalogues();
    QLocale::setDefault(language);
    const QString ours = QStringLiteral(":/i18n");
    install(QLocale(QLocale::English), QStringLiteral("rematscope"), ours); // its plurals
    install(language, QStringLiteral("qtbase"), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    if (language.language() != QLocale::English)
        install(language, QStringLiteral("rematscope"), ours);
}

} // namespace remat::ui
