<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>AnswerViewsText</name>
    <message numerus="yes">
        <source>every %n layer(s)</source>
        <translation>
            <numerusform>every layer</numerusform>
            <numerusform>every %n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more; click: all of them</source>
        <translation>
            <numerusform>and %n more; click: all of them</numerusform>
            <numerusform>and %n more; click: all of them</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RegionViewsText</name>
    <message numerus="yes">
        <source>%n layer(s) would run in another way.</source>
        <translation>
            <numerusform>%n layer would run in another way.</numerusform>
            <numerusform>%n layers would run in another way.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WhyText</name>
    <message numerus="yes">
        <source>change %n more</source>
        <translation>
            <numerusform>change %n more</numerusform>
            <numerusform>change %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>remat::ui::AnswerCard</name>
    <message numerus="yes">
        <source>Release %n pin(s)</source>
        <translation>
            <numerusform>Release the pin</numerusform>
            <numerusform>Release %n pins</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>remat::ui::LayerBarsChart</name>
    <message numerus="yes">
        <source>layer, mean of %n neighbours</source>
        <translation>
            <numerusform>layer</numerusform>
            <numerusform>layer, mean of %n neighbours</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n layers keep %1 together, between %2 and %3 each.</source>
        <translation>
            <numerusform>%n layer keeps %1, between %2 and %3.</numerusform>
            <numerusform>%n layers keep %1 together, between %2 and %3 each.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>remat::ui::MainWindow</name>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n layer</numerusform>
            <numerusform>%n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pin(s)</source>
        <translation>
            <numerusform>%n pin</numerusform>
            <numerusform>%n pins</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>remat::ui::ModelPanel</name>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n layer</numerusform>
            <numerusform>%n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n head(s)</source>
        <translation>
            <numerusform>%n head</numerusform>
            <numerusform>%n heads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n K/V head(s)</source>
        <translation>
            <numerusform>%n K/V head</numerusform>
            <numerusform>%n K/V heads</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>remat::ui::Playback</name>
    <message numerus="yes">
        <source>%1 %n more</source>
        <comment>sign of what appears or leaves</comment>
        <translation>
            <numerusform>%1 %n more</numerusform>
            <numerusform>%1 %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>remat::ui::PlaybackBar</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>remat::ui::RankGroup</name>
    <message numerus="yes">
        <source>saved for backward %1, of %n micro-batch(es)</source>
        <translation>
            <numerusform>saved for backward %1, of %n micro-batch</numerusform>
            <numerusform>saved for backward %1, of %n micro-batches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Several GPUs: %n</source>
        <translation>
            <numerusform>Several GPUs: %n</numerusform>
            <numerusform>Several GPUs: %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The fullest GPU, of pipeline stage %1 with %n layer(s):</source>
        <translation>
            <numerusform>The fullest GPU, of pipeline stage %1 with %n layer:</numerusform>
            <numerusform>The fullest GPU, of pipeline stage %1 with %n layers:</numerusform>
        </translation>
    </message>
</context>
</TS>
