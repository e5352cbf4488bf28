// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QBarSet>
#include <QChart>
#include <QSignalSpy>
#include <QStackedBarSeries>
#include <QValueAxis>
#include <QtTest/QTest>

#include "ui/charts/layer_bars_chart.h"
#include "widget_pictures.h"

using namespace remat;
using namespace remat::ui;
using namespace remat::literals;

namespace {

LayerBarsView layers(int count, std::int64_t unit = 1)
{
    LayerBarsView view;
    for (int i = 0; i < count; ++i)
        view.layers.push_back({unit * 250_MiB, i % 5 == 1 ? Bytes{} : unit * 250_MiB,
            i < count / 2 ? unit * 8_MiB : Bytes{}, i < count / 4 ? unit * 62_MiB : Bytes{}});
    return view;
}

const QStackedBarSeries& barsOf(const LayerBarsChart& chart)
{
    return *qobject_cast<QStackedBarSeries*>(chart.chart().series().value(0));
}

QWidget* viewport(LayerBarsChart& chart)
{
    return pictures::viewportOf(chart);
}

} // namespace

/// Facts of the chart's data; expected numbers are those of the view that is set.
class LayerBarsChartTest : public QObject {
    Q_OBJECT
private slots:
    void setsHoldTheViewInOneUnit()
    {
        LayerBarsChart chart(pictures::themed(Lightness::Light));
        chart.resize(440, 224);
        chart.setLayerBarsView(layers(32));
        const QList<QBarSet*> sets = barsOf(chart).barSets();
        QCOMPARE(sets.size(), 4);
        for (const QBarSet* set : sets) {
            QCOMPARE(set->count(), 32);
            QCOMPARE(set->pen().style(), Qt::NoPen);
        }
        QCOMPARE(sets[0]->at(0), 250.0); // attention, MiB
        QCOMPARE(sets[1]->at(1), 0.0);   // FFN of layer 1 is recomputed
        QCOMPARE(sets[3]->at(7), 62.0);  // residual
        const auto* x = qobject_cast<QValueAxis*>(chart.chart().axes(Qt::Horizontal).value(0));
        QCOMPARE(x->min(), -0.5);
        QCOMPARE(x->max(), 31.5);
        const auto* y = qobject_cast<QValueAxis*>(chart.chart().axes(Qt::Vertical).value(0));
        QCOMPARE(y->min(), 0.0);
        QCOMPARE(y->max(), (250 + 250 + 8 + 62) * 1.06);
        QCOMPARE(chart.frame().y.unit, QStringLiteral("MiB"));
        QCOMPARE(chart.legendTexts(),
            (QStringList{QStringLiteral("residual"), QStringLiteral("norm"), QStringLiteral("FFN"),
                QStringLiteral("attention")}));
    }

    void bigLayersCountInGiB()
    {
        LayerBarsChart chart(pictures::themed(Lightness::Light));
        chart.resize(440, 224);
        chart.setLayerBarsView(layers(8, 16));
        QCOMPARE(chart.frame().y.unit, QStringLiteral("GiB"));
        QCOMPARE(barsOf(chart).barSets()[0]->at(0), 250.0 * 16 / 1024);
    }

    void barsOfManyLayersTouchAndOneIsNotTooWide()
    {
        LayerBarsChart chart(pictures::themed(Lightness::Light));
        chart.resize(440, 224);
        chart.setLayerBarsView(layers(126));
        QCOMPARE(barsOf(chart).barWidth(), 1.0);
        chart.setLayerBarsView(layers(1));
        const double width = barsOf(chart).barWidth() * chart.frameLayout().plot.width();
        QCOMPARE(qRound(width), 120);
    }

    void hugeModelsShowMeansOfNeighbours()
    {
        LayerBarsChart chart(pictures::themed(Lightness::Light));
        chart.resize(440, 224);
        LayerBarsView view;
        for (int i = 0; i < 1000; ++i)
            view.layers.push_back({i % 4 == 0 ? 4_MiB : 0_MiB, 1_MiB, {}, {}});
        chart.setLayerBarsView(view);
        // ceil(1000 / 256) = 4 layers a bar; attention's mean over each four is 1
        // MiB.
        QCOMPARE(barsOf(chart).barSets()[0]->count(), 250);
        QCOMPARE(barsOf(chart).barSets()[0]->at(17), 1.0);
        QVERIFY(chart.frame().x.title.contains(QStringLiteral("4")));
    }

    void tickTextsNeverOverlapAndEndsAreShown()
    {
        const Theme look = pictures::themed(Lightness::Light);
        for (int count : {1, 2, 12, 14, 32, 48, 64, 126, 500}) {
            LayerBarsChart chart(look);
            chart.resize(440, 224);
            LayerBarsView view = layers(count);
            view.selected = count / 3;
            chart.setLayerBarsView(view);
            const auto boxes = xTickBoxes(chart.frame(), chart.frameLayout(), look);
            QStringList shown;
            for (std::size_t i = 0; i < boxes.size(); ++i) {
                if (!boxes[i].isEmpty())
                    shown.append(chart.frameLayout().xTicks[i].text);
                for (std::size_t j = 0; j < i; ++j)
                    QVERIFY(!boxes[i].intersects(boxes[j]));
            }
            QVERIFY2(shown.contains(QString::number(count / 3)), qPrintable(QString::number(count)));
            QVERIFY(count < 3 || shown.contains(QStringLiteral("0")) || count / 3 < 3);
        }
    }

    void clickAndArrowsSelectALayer()
    {
        LayerBarsChart chart(pictures::themed(Lightness::Light));
        chart.resize(440, 224);
        chart.setLayerBarsView(layers(12));
        chart.show();
        QSignalSpy selected(&chart, &LayerBarsChart::layerSelected);
        QTest::mouseClick(viewport(chart), Qt::LeftButton, {}, chart.columnRect(7).center().toPoint());
        QCOMPARE(selected.takeFirst(), QVariantList{7});
        chart.setSelected(7);
        QVERIFY(chart.summary().contains(QStringLiteral("Layer 7 keeps")));
        QTest::keyClick(&chart, Qt::Key_Right);
        QCOMPARE(selected.takeFirst(), QVariantList{8});
        chart.setSelected(11);
        QTest::keyClick(&chart, Qt::Key_Right);
        QCOMPARE(selected.count(), 0);
        QTest::keyClick(&chart, Qt::Key_Left);
        QCOMPARE(selected.takeFirst(), QVariantList{10});
    }

    void theReadoutTellsTheLastRun()
    {
        LayerBarsChart chart(pictures::themed(Lightness::Light));
        chart.resize(440, 224);
        LayerBarsView view = layers(12);
        view.layers[7].measured = Nanoseconds{5'500'000};
        view.layers[8].measured = Nanoseconds{5'600'000};
        view.layers[8].predicted = Nanoseconds{5'200'000};
        chart.setLayerBarsView(view);
        chart.show();
        const auto readoutOf = [&](int layer) {
            QTest::mouseMove(viewport(chart), chart.columnRect(layer).center().toPoint());
            return chart.readout();
        };
        QCOMPARE(readoutOf(6).size(), 5); // the sum and four parts
        QCOMPARE(readoutOf(7).last(), QStringLiteral("last run: 5.50 ms"));
        QCOMPARE(readoutOf(8).last(), QStringLiteral("last run: 5.60 ms, predicted 5.20 ms"));
    }

    void theSelectedLayerIsOutlined()
    {
        const Theme look = pictures::themed(Lightness::Light);
        LayerBarsChart chart(look);
        chart.resize(440, 224);
        chart.setLayerBarsView(layers(12));
        const int before = pictures::pixelsOf(pictures::of(chart), look.colour(Role::Text));
        chart.setSelected(3);
        QVERIFY(pictures::pixelsOf(pictures::of(chart), look.colour(Role::Text)) > before + 200);
    }

    void nothingKeptIsAState()
    {
        LayerBarsChart chart(pictures::themed(Lightness::Light));
        chart.resize(440, 224);
        QVERIFY(pictures::colourCount(pictures::of(chart)) > 2);
        LayerBarsView view;
        view.layers.resize(12);
        view.selected = 3;
        chart.setLayerBarsView(view);
        QVERIFY(qobject_cast<QValueAxis*>(chart.chart().axes(Qt::Vertical).value(0))->max() > 0);
        chart.setLayerBarsView({});
        QVERIFY(chart.legendTexts().isEmpty());
    }

    void redrawsFastEnoughForADrag()
    {
        LayerBarsChart chart(pictures::themed(Lightness::Light));
        chart.resize(440, 224);
        const LayerBarsView view = layers(126);
        QImage image(440, 224, QImage::Format_ARGB32_Premultiplied);
        QBENCHMARK
        {
            chart.setLayerBarsView(view);
            chart.render(&image);
        }
    }

    void pictures()
    {
        for (const auto& [lightness, ratio, suffix] : pictures::looks())
            for (int count : {1, 12, 32, 126}) {
                LayerBarsChart chart(pictures::themed(lightness));
                chart.resize(count == 126 ? 740 : 440, count == 126 ? 170 : 224);
                LayerBarsView view = layers(count);
                view.selected = count / 4;
                chart.setLayerBarsView(view);
                const QImage image = pictures::of(chart, ratio);
                QVERIFY(pictures::colourCount(image) > 10);
                pictures::save(image, QStringLiteral("layers-%1").arg(count) + suffix);
            }
    }
};

QTEST_MAIN(LayerBarsChartTest)
#include "layer_bars_chart_test.moc"
